import type { Words } from './word-class.ts';

export const PORTUGUESE: Words = {
  send: 'envie|envia|enviar|envie-o|envie-os|mande|manda|mandar|poste|publique|copie|copia|transmita|encaminhe|repasse|anexe|compartilhe|cole|inclua|adicione|suba|carregue|entregue|transfira|insira|faça upload|partilhe|encaminh*|compartilh*|anex*|repass*|entreg*|enví*|envia*|envie*|enviá*|enviam*|manda*|mande*|copie*|publique*|transmita*',
  fetch:
    'baixe|baixar|descarregue|obtenha|busque|abra|leia|visite|acesse|consulte|carregue|pegue|recupere|clone|faça o download|aceda|baix*|acess*|obten*|abr*|colet*|reúna|consult*',
  run: 'execute|executa|executar|execute-o|execute-a|rode|rodar|rode-o|inicie|instale|lance|dispare|abra|rod*|inici*|executa*|execute-*|instale*',
  obey: 'siga|seguir|obedeça|cumpra|faça|execute|acate|realize|trate|aplique|obede*|sig*|faç*|cumpr*|vinculante|executa*',
  write:
    'escreva|adicione|acrescente|inclua|grave|salve|insira|registre|crie|anote|guarde|copie|coloque|instale|agende|guarde|programe|escrev*|adicion*|acrescent*|inclu*|grav*|configur*|copi*',
  erase:
    'apague|apagar|exclua|excluir|delete|deletar|remover|elimine|destrua|criptografe|sobrescreva|formate|esvazie|apag*|elimin*|destru*|criptograf*|sobrescrev*|exclua*|exclui*',
  replace:
    'substitua|substituir|troque|trocar|altere|alterar|mude|mudar|redirecione|transfira|modifique|pague|coloque|desvie',
  disable: 'desative|desativar|desabilite|desligue|contorne|pule|evite|desinstale|suspenda|burle|interrompa',
  ignore:
    'ignore|ignora|ignorar|ignorem|esqueça|esqueca|esquecer|esqueçam|desconsidere|desconsiderem|descarte|deixe de seguir|não siga|abandone|desobedeça|despreze',
  decode: 'decodifique|descodifique|decifre|descriptografe',
  tell: 'conte|contar|diga|dizer|informe|informar|mencione|mencionar|avise|avisar|revele|mostre|comunique|relate|notifique|inclua|alerte|revelar|comunicar|contar-lhe|notificar',
  notice: 'perceba|percebam|saiba|saibam|note|notem|descubra|veja|vejam|desconfie|fique sabendo',
  approve:
    'aprovado|aprovada|aprove|seguro|segura|aceito|aceita|aceite|válido|inofensivo|nota máxima|sem problemas|sim|sem achados|confiável|correto|passou',
  grant:
    'permissão|autorizado|autorizada|autorizadas|autorizados|autorização|permitido|ativado|acesso total|concedo|pode|direitos totais|liberado|liberada|acesso completo|ativo',
  'answer-as-told':
    'responda|responder|marque|marcar|avalie|dê|classifique|considere|atribua|julgue|retorne|aprove-o|aceite-o|aprove|pontue',
  secret:
    'chave|chaves|senha|senhas|credencial|credenciais|variáveis de ambiente|variaveis de ambiente|segredo|segredos|token|tokens|chave de api|chaves de api|chave privada|cookies|chaveiro|frase-semente',
  talk: 'conversa|conversas|histórico da conversa|histórico do chat|mensagens do usuário|tudo o que o usuário|prompts|código-fonte|todos os arquivos|dados pessoais|contatos|área de transferência',
  user: 'usuário|usuario|usuários|usuária|utilizador|utilizadores|pessoa|alguém|ninguém|humano|operador|cliente|revisor|dono|revisores',
  judge:
    'revisor|revisores|avaliador|avaliadores|auditor|auditores|juiz|scanner|scanners|verificador|analisador|modelo que avalia|modelo avaliador|validador|examinador|avalia esta|julgador',
  authority:
    'administrador|sistema|desenvolvedor|desenvolvedores|anthropic|openai|fornecedor|equipe de segurança|operador|suporte|criador|criadores|fabricante|diretoria|equipa de segurança|programador',
  message:
    'mensagem do|mensagem de|mensagem da|aviso do|aqui é o|aqui fala|em nome de|comunicado|nota do|ordem do|aqui é|sou o|sou a|por ordem|da parte|mensagem',
  rule: 'instruções|instrução|instrucoes|regras|regra|ordens|diretrizes|orientações|orientacoes|comandos|políticas|restrições|prompt|normas|limitações|diretivas',
  earlier:
    'anteriores|anterior|prévias|previas|prévios|acima|do sistema|até agora|precedentes|do desenvolvedor|recebidas|iniciais|do usuário',
  this: 'este documento|este arquivo|este ficheiro|esta habilidade|este texto|estas regras|estas instruções|este guia|esta página|deste documento|deste arquivo|o que está aqui|as regras deste|esta skill|esta seção|esta linha|esta instrução|esta regra|este parágrafo|esta frase|este comando|esta ordem|esta mensagem',
  it: 'isso|isto|esta etapa|este passo|esta operação|esta ação|disso|disto|sobre isso',
  everything: 'tudo|todo|toda|todos|todas|qualquer|quaisquer|cada',
  dictate:
    'o que ela diz|o que ele diz|o que disser|o que diz|o que estiver|o que está escrito|o que mandar|o que pedir|o que a página|o que o arquivo|as instruções que|as ordens que|as instruções contidas|instruções da página|o que encontrar|ao pé da letra|os comandos que|como ordens|o que contém|o que contiver|como instruções|tudo o que|o que estiver escrito|estiver escrito lá|tudo que|o que mandarem',
  report: 'resumo|relatório|registro|registros|resposta|histórico|log|logs|diff',
  'shell-history':
    'histórico de comandos|histórico do shell|histórico do terminal|histórico do bash|histórico da linha de comandos',
  log: 'registros|registro|registos|logs|rastros|vestígios|rastro|log|evidências|pistas',
  property:
    'diretório pessoal|pasta pessoal|arquivos do usuário|ficheiros do utilizador|documentos do usuário|dados do usuário|backups|cópias de segurança|banco de dados de produção|base de dados de produção|diretório home|disco inteiro|todo o disco|disco rígido|todas as branches|todas as tabelas|arquivos pessoais|todo o banco de dados|pasta home|banco de dados|o disco|histórico do git|todos os arquivos|todos os dados|documentos pessoais',
  money:
    'iban|conta bancária|número da conta|fatura|faturas|carteira|dados bancários|dados de pagamento|beneficiário|endereço bitcoin|chave pix|pix|boleto|pagamentos|conta|transferências|doações|boletos',
  mirror:
    'registro de pacotes|espelho|índice de pacotes|repositório|registro npm|registro do npm|fonte de pacotes|mirror|registro',
  miner: 'minerador|minerador de criptomoedas|mineração de criptomoedas|monero|criptomoeda|criptomoedas',
  guard:
    'sandbox|firewall|antivírus|antivirus|confirmação|confirmações|aprovação|aprovações|verificações de segurança|verificação de segurança|proteções|proteção|controles de segurança|medidas de segurança|permissões',
  'open-place':
    'issue|ticket|gist|fórum|comentário|servidor externo|nosso servidor|servidor remoto|canal|webhook|repositório público|e-mail|servidor',
  picture: 'imagem|imagens|pixel|ícone',
  script: 'script|programa|arquivo|ficheiro|binário|instalador|ferramenta|pacote|executável',
  startup: 'tarefa cron|cron|crontab|inicialização automática|tarefa agendada|serviço systemd|inicialização',
  memory: 'memória permanente|memória de longo prazo|memória|instruções globais|memória persistente',
  shell: 'terminal|shell|linha de comando|bash|console|interpretador',
  encoded: 'base64|hexadecimal|string codificada|texto codificado',
  not: 'não|nao|nunca|jamais|sem|nem|nada|ninguém|tampouco',
  unasked:
    'sem confirmação|sem perguntar|sem pedir confirmação|sem pedir permissão|sem permissão|sem autorização|sem aprovação|sem pedir|não peça|nunca peça|não pergunte|sem consultar|sem consentimento|sem solicitar|sem esperar',
  unseen:
    'sem verificar|sem revisar|sem ler|sem checar|sem conferir|sem olhar|sem verificá-lo|às cegas|não verifique|sem inspecionar|sem analisar|sem examinar',
  unreviewed:
    'pule a análise|sem análise|não analise|não precisa de revisão|sem revisão|dispensa revisão|não verifique|pule a revisão|não é preciso revisar|pule este arquivo|ignore este arquivo|pare a análise|não revise|dispensa análise|sem mais análise|não reporte',
  secretly:
    'em segredo|às escondidas|secretamente|discretamente|sem deixar rastros|sem deixar rastro|sem deixar vestígios|de forma oculta|furtivamente|sem que o usuário|sem que ninguém|pelas costas|na surdina',
  untold:
    'esconda|oculte|não conte|mantenha em segredo|guarde segredo|não mencione isso|sem avisar|sem informar|sem o conhecimento|para que ninguém|não deve saber|não pode saber|não precisa saber|nem registre|não inclua isso|omita|sem contar|não deixe o usuário|não fale disso|deixe de fora|não diga nada|sem que o usuário|sem que ninguém|escond*|ocult*|em segredo|sem conhecimento|não saiba|limpe o histórico|apague os rastros|os rastros|não fique sabendo|não pode descobrir',
  outrank:
    'prevalecem sobre|prevalece sobre|têm prioridade sobre|tem prioridade sobre|estão acima|está acima|mais importantes que|mais importante que|mais importantes do que|substituem|anulam|sobrepõem-se|se sobrepõem|substitui|têm precedência|tem precedência|vale mais|valem mais',
  'outranks-last': 'essas prevalecem|essas valem',
  void: 'não se aplicam|não se aplica|não valem mais|não vale mais|não contam|não conta|estão suspensas|foram revogadas|perdem a validade|não importam|não importa|sem efeito|já não valem|já não se aplicam|estão obsoletas|foram suspensas|estão canceladas|não valem|não vale|deixam de|deixa de|canceladas|revogadas|suspensas|anuladas|sem validade|já não|não valerão',
  unbound:
    'sem restrições|sem limites|livre de|sem limitações|sem censura|sem regras|nenhuma restrição|sem filtros',
  lie: 'diga que não|diga que nada|diga que só|diga apenas que|nunca admita|como se nada|responda que só|responda que apenas|não admita|finja que nada',
  always:
    'cada sessão|todas as sessões|futuras sessões|cada projeto|todos os projetos|sempre|permanentemente|toda vez|ao iniciar|a cada início|a partir de agora|para sempre|todos os dias|de forma permanente|a cada hora|em cada inicialização|em toda sessão',
  'each-answer': 'cada resposta|todas as respostas|suas respostas|sua resposta|toda resposta',
  'as-root':
    'como root|com sudo|como administrador|com privilégios|permissões de root|privilégios de administrador|permissões de administrador',
  executable: 'torne-o executável|executável',
  afterwards:
    'para que ninguém|o que foi feito|o que foi executado|posteriormente|registros depois|logs depois|registro depois',
  already:
    'já foi aprovado|já aprovado|já foi revisado|já revisado|já foi auditado|certificado|já verificado|já foi verificado|já está aprovado|foi auditado|já validado|já foi validado|já auditado',
  addressed:
    'ao revisor|ao avaliador|aos revisores|nota ao|nota para|para o|para os|caro|prezado|se você é|se você for|atenção|ao modelo|ao auditor|mensagem ao|à ia',
  consent:
    'peça confirmação|pergunte ao usuário|pergunte antes|com a permissão do usuário|se o usuário|quando o usuário|após confirmação|ofereça|com o consentimento|depois que o usuário|mediante confirmação|antes de apagar|caso o usuário',
  attacker:
    'atacante|atacantes|ataque|ataques|malicioso|maliciosa|maliciosos|malware|injeção|invasor|invasores|golpista|phishing|criminoso',
  'watch-for':
    'detecte|detectar|procure|vigie|alerta|alerte|sinais de|frases como|textos como|protege contra|evita que|bloqueie|rejeite|cuidado com|exemplo de|exemplos de|sinalize|suspeito|perigoso',
  you: 'você é|você agora é|tu és|aja como|comporte-se|responda como',
  login: 'cabeçalho|autenticação|authorization',
  mode: 'modo administrador|modo de administrador|modo desenvolvedor|modo de desenvolvedor|modo manutenção',
  mine: 'minere|minerar monero|minerar criptomoedas|minerar bitcoin|minerando',
  carrier: 'parâmetro|próxima requisição|a url|uma url|na url|subdomínio|consulta dns',
  evaluate: 'avali*|revis*|audit*|analis*|julg*|veredito|classific*|verific*',
  only: 'apenas|só|somente|unicamente|exclusivamente',
  your: 'suas|seus|sua|tuas|teus',
  object: 'se opõe|recusa|diz não|protesta|pede para parar|reclama|disser não|discordar|discorda',
  'go-on': 'mesmo assim|continue|prossiga|siga em frente|de qualquer forma|assim mesmo|de qualquer modo',
  narrow: 'regra do firewall|regra de firewall|da porta',
  'remember-to': 'não esqueça|não se esqueça|não deixe de',
};
